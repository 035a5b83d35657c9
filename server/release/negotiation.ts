/** The best of the available encodings for an Accept-Encoding header; undefined means as it is. Brotli wins a tie. */
export function pickEncoding<Encoding extends string>(
  accepted: string | undefined,
  available: readonly Encoding[]
): Encoding | undefined {
  if (!accepted || available.length === 0) return undefined
  const wishes = new Map(accepted.split(',').map(readWish))
  const weight = (name: string): number => wishes.get(name) ?? wishes.get('*') ?? 0
  // What is not named is always acceptable as it is, but less welcome than anything that is named.
  const plain = wishes.get('identity') ?? 0
  const [best] = available.filter(name => weight(name) > 0).sort((a, b) => weight(b) - weight(a))
  return best !== undefined && weight(best) >= plain ? best : undefined
}

/** Whether what the visitor has, by its If-None-Match header, is still right. */
export function isFresh(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  return ifNoneMatch.split(',').some(known => known.trim() === '*' || known.trim().replace(/^W\//, '') === etag)
}

function readWish(part: string): [name: string, weight: number] {
  const [name = '', ...parameters] = part.split(';').map(piece => piece.trim().toLowerCase())
  const weight = Number(parameters.find(parameter => parameter.startsWith('q='))?.slice(2) ?? 1)
  return [name === 'x-gzip' ? 'gzip' : name, weight >= 0 && weight <= 1 ? weight : 0]
}
