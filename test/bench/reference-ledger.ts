/** The ledger thread of the reference gateway: each message is a group of holds and charges and one durable transaction. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'

const { folder } = workerData as { folder: string }
const database = new DatabaseSync(join(folder, 'reference.db'))
database.exec(`
  pragma journal_mode = wal;
  pragma synchronous = full;
  create table account (id text primary key, balance integer not null, held integer not null) strict, without rowid;
  create table hold (id text primary key, account text not null, amount integer not null) strict, without rowid;
  create table entry (id integer primary key, hold text not null unique, account text not null, amount integer not null) strict;
  insert into account values ('account-1', 1000000000000000, 0);
`)
const take = database.prepare('update account set held = held + ? where id = ? and balance - held >= ?')
const place = database.prepare('insert into hold values (?, ?, ?)')
const end = database.prepare('delete from hold where id = ? returning amount')
const pay = database.prepare('update account set balance = balance - ?, held = held - ? where id = ?')
const enter = database.prepare('insert into entry (hold, account, amount) values (?, ?, ?)')

interface Operation {
  readonly kind: 'hold' | 'charge'
  readonly hold: string
  readonly account: string
  readonly amount: number
}

function perform({ kind, hold, account, amount }: Operation): boolean {
  if (kind === 'hold') {
    if (take.run(amount, account, amount).changes === 0) return false
    place.run(hold, account, amount)
    return true
  }
  const held = end.get(hold)
  if (!held) return false
  pay.run(amount, Number(held['amount']), account)
  enter.run(hold, account, -amount)
  return true
}

parentPort!.on('message', (operations: Operation[]) => {
  database.exec('begin immediate')
  const outcomes = operations.map(perform)
  database.exec('commit')
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort!.postMessage(outcomes)
})
