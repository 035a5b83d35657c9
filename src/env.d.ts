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

/** The text of a script; see `inlined` in astro.config.mjs. */
declare module '*?inlined' {
  const code: string
  export default code
}

declare namespace App {
  interface Locals {
    /** Set by the page while it is rendered. */
    opensWithPicture?: true
  }
}
