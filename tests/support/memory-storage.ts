/** As in browsers, items are properties, and removing a missing item is allowed. */
export class MemoryStorage {
  [name: string]: unknown

  getItem(name: string): unknown {
    return Object.hasOwn(this, name) ? this[name] : null
  }
  setItem(name: string, value: string) {
    this[name] = value
  }
  removeItem(name: string) {
    delete this[name]
  }
  clear() {
    for (const name of Object.keys(this)) delete this[name]
  }
}
