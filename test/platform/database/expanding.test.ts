/** During a rolling upgrade two versions use one PostgreSQL: a migration adds, and takes away a release later. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { contractingStatements } from '#platform/database/expanding.js'
import { packageRoot } from '#platform/package-root.js'

const FOLDER = join(packageRoot, 'src/migrations/postgres')

/** Nothing was released before it; from here on the rule holds. */
const LAST_WITHOUT_RULE = 'Migration20261122135839_thin_charges.ts'

const migrations = readdirSync(FOLDER).filter((name) => name.endsWith('.ts') && name > LAST_WITHOUT_RULE)

function upStatements(file: string): string[] {
  const text = readFileSync(join(FOLDER, file), 'utf8')
  const [up = ''] = text.slice(text.indexOf('override up')).split('override down')
  const statements = [...up.matchAll(/addSql\(`([^`]*)`\)/g)].map(([, sql = '']) => sql)
  expect(statements.length, `${file}: every addSql takes one literal, so that it can be read here`).toBe(
    up.split('addSql(').length - 1,
  )
  expect(statements).not.toHaveLength(0)
  return statements
}

test('migrations are found', () => expect(migrations).toContain('Migration20261122143111_key_models.ts'))

test.each(migrations)('%s leaves the last release what it reads and writes', (file) => {
  expect(contractingStatements(upStatements(file))).toEqual([])
})

describe('of statements', () => {
  test.each([
    'alter table "t" drop column "a";',
    'alter table "t" rename column "a" to "b";',
    'alter table "t" rename to "u";',
    'alter table "t" alter column "a" set not null;',
    'alter table "t" alter column "a" type int;',
    'alter table "t" add "a" int not null;',
    'alter table "t" add "a" int null, add "b" int not null;',
    'alter table "t" add "a" int null, drop column "b";',
    'alter table "t" add "a" int null unique;',
    'alter table "t" add constraint "t_a" check (a > 0);',
    'create unique index "t_a" on "t" ("a");',
    'drop table "t";',
    'drop index "t_a";',
    'alter table "t" add "a" int null, owner to x;',
    'update t set a = 1;',
    'delete from t;',
    'insert into t (a) values (1);',
    'truncate t;',
    'create trigger x before insert on t execute function f();',
  ])('refused: %s', (sql) => expect(contractingStatements([sql])).toEqual([sql.slice(0, -1)]))

  test.each([
    [
      [
        'create table "n" ("a" int not null);',
        'alter table "n" add constraint "n_a" check (a > 0);',
        'insert into n values (1);',
      ],
    ],
    [['create table "n" ("a" int not null);\ncreate unique index "n_a" on "n" ("a");']],
    [['alter table "t" add "a" numeric(10, 2) not null default 0, add "b" text null;']],
    [['alter table "t" add "a" int null;', 'update t set a = b where b > 0;']],
    [['create index "t_a_b" on "t" ("a", "b");']],
  ])('taken: %j', (statements) => expect(contractingStatements(statements)).toEqual([]))

  test('what stands on the line of something harmless is seen', () => {
    expect(contractingStatements(['create table "n" ("a" int); drop table "t";'])).toEqual(['drop table "t"'])
  })

  test('a second column filled beside a new one is seen', () => {
    const fill = 'update t set a = 1, old = 2'
    expect(contractingStatements(['alter table "t" add "a" int null;', fill])).toEqual([fill])
  })
})
