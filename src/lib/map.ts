interface MapPoint {
  latitude: number
  longitude: number
}

/** Reads text such as '10.827, 78.688', which map apps copy. Returns undefined if it is not a place on Earth. */
export function toMapPoint(text: string): MapPoint | undefined {
  const [, latitude, longitude] = /^(-?\d{1,2}(?:\.\d+)?)\s*,\s*(-?\d{1,3}(?:\.\d+)?)$/.exec(text.trim()) ?? []
  if (latitude === undefined || longitude === undefined) return undefined
  const point = { latitude: Number(latitude), longitude: Number(longitude) }
  return Math.abs(point.latitude) <= 90 && Math.abs(point.longitude) <= 180 ? point : undefined
}
