/// <reference types="astro/client" />

interface ImportMetaEnv {
  /** The API base that pages call: '/api', or another origin's. */
  readonly PUBLIC_API_BASE?: string
}

interface ImportMeta {
  readonly env: ImportMetaEnv
}

/** See `apart` in astro.config.mjs. */
declare module '*?apart'

/** The address of a script; see `late` in astro.config.mjs. */
declare module '*?late' {
  const address: string
  export default address
}
