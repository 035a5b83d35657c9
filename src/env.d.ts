/// <reference types="astro/client" />

interface ImportMetaEnv {
  /** '/api', or a URL on another origin. */
  readonly PUBLIC_API_BASE?: string
}

interface ImportMeta {
  readonly env: ImportMetaEnv
}

// These suffixes are defined by the Vite plugins in astro.config.mjs.
declare module '*?apart'

declare module '*?late' {
  const url: string
  export default url
}

declare module '*?inlined' {
  const code: string
  export default code
}

declare namespace App {
  interface Locals {
    deferScripts?: true
  }
}
