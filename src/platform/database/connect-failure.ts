/** Why a database cannot be opened, in words that say what to change; the url itself may hold a password and is never repeated. */
import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { DatabaseLocation } from './database-url.js'
import { DatabaseOutage } from './outage.js'

export function connectFailure(location: DatabaseLocation, thrown: unknown): string {
  // What the driver itself said: our own words for callers name nothing that an operator could change.
  const error = thrown instanceof DatabaseOutage ? thrown.cause : thrown
  return location.dialect === 'sqlite'
    ? fileFailure(resolve(location.file), error)
    : serverFailure(location.connectionString, error)
}

function fileFailure(file: string, error: unknown): string {
  let folder = dirname(file)
  while (!existsSync(folder)) folder = dirname(folder)
  if (!statSync(folder).isDirectory()) return `The SQLite file ${file} cannot be created: ${folder} is no folder.`
  if (!isWritable(folder)) return `The SQLite file ${file} cannot be created: ${folder} is not writable by this user.`
  if (existsSync(file)) {
    if (!statSync(file).isFile()) return `${file} is no file, so it cannot be the SQLite database.`
    if (!isWritable(file)) return `The SQLite file ${file} is not writable by this user.`
  }
  return `The SQLite file ${file} cannot be opened: ${textOf(error)}.`
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** By SQLSTATE or the system's code; each sentence names what the operator has to change. */
function serverFailure(connectionString: string, error: unknown): string {
  const { hostname, port, username, pathname } = new URL(connectionString)
  const server = `PostgreSQL at ${hostname}:${port || '5432'}`
  switch (codeOf(error)) {
    case 'ECONNREFUSED':
      return `Nothing listens at ${hostname}:${port || '5432'}: PostgreSQL is not running there.`
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `The host ${hostname} of the database url is not known here.`
    case '28000':
    case '28P01':
      return `${server} does not let the role "${username}" in: it is missing there, or its password is wrong.`
    case '3D000':
      return `${server} has no database "${decodeURIComponent(pathname.slice(1))}". Create it first.`
    case '42501':
      return `The role "${username}" lacks a right at ${server}: ${textOf(error)}.`
    case '53300':
      return `${server} takes no more connections.`
    default:
      return `${server} cannot be used: ${textOf(error)}.`
  }
}

/** The first code on the way down to the cause: libraries wrap what the driver said. */
function codeOf(error: unknown): string | undefined {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if ('code' in at && typeof at.code === 'string') return at.code
    if (at instanceof AggregateError) return codeOf(at.errors[0])
  }
  return undefined
}

function textOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return (message.split('\n')[0] ?? '').replace(/\.$/, '')
}
