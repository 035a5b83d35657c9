import { setFlagsFromString } from 'node:v8'

// Saves 35 MB of memory without slowing down requests (measured).
setFlagsFromString('--optimize-for-size')
