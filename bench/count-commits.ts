import Database from 'better-sqlite3'
import { writeFileSync } from 'node:fs'

// This module is preloaded into the server. It counts SQLite commits and writes the count to COMMITS_FILE on SIGUSR2.
let commits = 0

const { prototype } = Database
const prepare = prototype.prepare
prototype.prepare = function countingPrepare(this: Database.Database, source: string): Database.Statement {
  const statement: Database.Statement = prepare.call(this, source)
  if (source !== 'commit') return statement
  const run = statement.run.bind(statement)
  const counted: typeof run = (...values) => {
    commits++
    return run(...values)
  }
  return Object.assign(statement, { run: counted })
} as typeof prepare

process.on('SIGUSR2', () => writeFileSync(process.env['COMMITS_FILE'] ?? '', String(commits)))
