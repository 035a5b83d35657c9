/// <reference types="astro/client" />

interface ImportMetaEnv {
  /** '/api', or a URL on another origin. */
  readonly PUBLIC_API_BASE?: string
  readonly SERVICE_WORKER: 'on' | 'off'
  /** By language. Empty in development. */
  readonly SCRIPT_FOLDERS: Partial<Record<string, string>>
}

// This suffix is defined by a Vite plugin in astro.config.mjs.
declare module '*?apart'
