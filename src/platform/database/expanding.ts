/**
 * Whether a migration leaves what a server of the last release reads and writes as it is, so that both versions can run on one
 * PostgreSQL during a rolling upgrade. Only what is known to be harmless passes; everything else is named.
 */

const CREATE_TABLE = /^create table (?:if not exists )?"?(\w+)"?/i
const PLAIN_INDEX = /^create index\b/i
const UNIQUE_INDEX = /^create unique index .*? on "?(\w+)"?/is
const ALTER_TABLE = /^alter table (?:only )?(?:if exists )?"?(\w+)"? (.*)$/is
const ADD_COLUMN = /^add (?:column )?(?:if not exists )?(?!constraint\b)"?(\w+)"? (.*)$/is
const UPDATE = /^update "?(\w+)"? set (.*?)(?: where .*)?$/is
const INSERT = /^insert into "?(\w+)"?/i

/** What the statements so far have made: nobody else knows it yet, so anything may be done to it. */
interface Made {
  readonly tables: Set<string>
  readonly columns: Set<string>
}

/**
 * Those statements of a migration that a server of the last release may not survive, in their order. An index that is dropped is
 * one of them: it may be what an `on conflict` of that release relies on. A semicolon in a literal makes a statement unknown.
 */
export function contractingStatements(statements: readonly string[]): string[] {
  const made: Made = { tables: new Set(), columns: new Set() }
  return statements
    .flatMap((text) => text.split(';'))
    .map((text) => text.trim())
    .filter((text) => text !== '' && !onlyAdds(text, made))
}

function onlyAdds(statement: string, made: Made): boolean {
  const created = CREATE_TABLE.exec(statement)?.[1]
  if (created !== undefined) {
    made.tables.add(created)
    return true
  }
  if (PLAIN_INDEX.test(statement)) return true
  const [, altered, clauses] = ALTER_TABLE.exec(statement) ?? []
  if (altered !== undefined && clauses !== undefined) return made.tables.has(altered) || addsColumns(altered, clauses, made)
  const [, updated, assignments] = UPDATE.exec(statement) ?? []
  if (updated !== undefined && assignments !== undefined) return made.tables.has(updated) || fills(updated, assignments, made)
  const table = (UNIQUE_INDEX.exec(statement) ?? INSERT.exec(statement))?.[1]
  return table !== undefined && made.tables.has(table)
}

/** A row that the last release writes lacks the new columns, and must be taken without them. */
function addsColumns(table: string, clauses: string, made: Made): boolean {
  return clauses.split(/,\s*(?=(?:add|alter|drop|rename|set)\b)/i).every((clause) => {
    const [, column, definition] = ADD_COLUMN.exec(clause) ?? []
    if (column === undefined || definition === undefined) return false
    made.columns.add(`${table}.${column}`)
    if (definition.replace(/\([^)]*\)/g, '').includes(',')) return false
    if (/\b(?:unique|primary key|check|references|generated)\b/i.test(definition)) return false
    return !/\bnot null\b/i.test(definition) || /\bdefault\b/i.test(definition)
  })
}

/** Filling a column that is new. */
function fills(table: string, assignments: string, made: Made): boolean {
  const columns = [...assignments.matchAll(/"?(\w+)"?\s*=/g)]
  return columns.length > 0 && columns.every(([, column]) => made.columns.has(`${table}.${column}`))
}
