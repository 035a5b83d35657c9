// A CommonJS file: Vitest would transform `import()` of the built code.
module.exports = url => import(url)
