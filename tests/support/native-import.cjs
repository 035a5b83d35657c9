// This file is CommonJS, because Vitest would transform an `import()` in an ES module.
module.exports = url => import(url)
