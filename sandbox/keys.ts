import { createHmac } from 'node:crypto'
import { readSecret } from '../server/platform/process/secret.ts'
import { createId } from './objects.ts'

export interface SandboxKeys {
  keyId: string
  keySecret: string
  webhookSecret: string
}

/** Derived from a secret in the folder, so that a restart keeps them. */
export async function readSandboxKeys(folder: string): Promise<SandboxKeys> {
  const secret = await readSecret({ dataDir: folder, shopSecret: undefined }, 'sandbox')
  const deriveKey = (name: string): Buffer => createHmac('sha256', secret).update(name).digest()
  return {
    keyId: createId('rzp_test', deriveKey('key id')),
    keySecret: deriveKey('key secret').toString('hex').slice(0, 24),
    webhookSecret: deriveKey('webhook secret').toString('hex')
  }
}

export function sign(secret: string, text: string): string {
  return createHmac('sha256', secret).update(text).digest('hex')
}
