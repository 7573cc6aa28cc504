/** The thread that reads a whole ledger on SQLite. */
import { openSqliteFile } from '#platform/database/sqlite/sqlite-file.js'
import { answerQuestions } from '#platform/thread.js'

export interface Inspection {
  readonly question: { readonly file: string; readonly queries: readonly string[] }
  /** The rows of each query. */
  readonly answer: Record<string, unknown>[][]
}

/** In one snapshot. Whoever has the answer may move the file: nothing of ours is open any more. */
function inspect({ file, queries }: Inspection['question']): Inspection['answer'] {
  const db = openSqliteFile(file)
  try {
    db.exec('begin')
    return queries.map((sql) => db.prepare(sql).all())
  } finally {
    db.close()
  }
}

answerQuestions<Inspection>(inspect)
