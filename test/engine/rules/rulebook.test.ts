/** Names, expressions, token patterns and the rule files themselves. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseConfig } from '../../../subgraphs/compliance/engine/index.js'
import { entropyOf, isPlaceholder } from '../../../subgraphs/compliance/engine/match/secrets.js'
import { matchTokens, tokenLine } from '../../../subgraphs/compliance/engine/match/token-pattern.js'
import { clausesOf, loadStandards, selectStandards } from '../../../subgraphs/compliance/engine/report/standards.js'
import { loadPacks, loadRules, readRuleData } from '../../../subgraphs/compliance/engine/rulebook/load.js'
import { compileNamePattern, matchesName, parseName } from '../../../subgraphs/compliance/engine/rulebook/qualified-name.js'
import { regexProblem } from '../../../subgraphs/compliance/engine/rulebook/safe-regex.js'
import { ruleSchema } from '../../../subgraphs/compliance/engine/rulebook/schema.js'
import { splitSql } from '../../../subgraphs/compliance/engine/syntax/sql/sql-tokens.js'

const matches = (pattern: string, name: string): boolean => matchesName(compileNamePattern(pattern), parseName(name))

describe('name patterns', () => {
  it.each([
    ['os.system', 'os.system', true],
    ['os.system', 'os.systems', false],
    ['os.system', 'my.os.system', false],
    ['hashlib.{md5,sha1}', 'hashlib.sha1', true],
    ['hashlib.{md5,sha1}', 'hashlib.sha256', false],
    ['*.execute', 'this.db.cursor.execute', true],
    ['*.execute', 'execute', false],
    ['**.exec', 'exec', true],
    ['**.exec', 'a.b.exec', true],
    ['a.*.c', 'a.b.c', true],
    ['a.*.c', 'a.b.b.c', false],
    ['fs.read*', 'fs.readFileSync', true],
    ['db.query', 'this.db.query', true],
    ['conn.cursor().execute', 'conn.cursor.execute', true],
    ['{req,request}.{query,body}', 'request.body', true],
  ])('%s on %s: %s', (pattern, name, expected) => {
    expect(matches(pattern, name)).toBe(expected)
  })
})

describe('regular expressions of rules', () => {
  it.each(['(a+)+', '(a|aa)+$(b*)*', '(\\w+\\s?)*x', '(.)\\1', '(?<=a)b', '.*.*.*=', '(a{1,}){5,}', '[a-z'])(
    'refuses %s',
    (pattern) => {
      expect(regexProblem(pattern)).not.toBeNull()
    },
  )

  it.each(['(?i)allow|^[A-Z][A-Z0-9_]{2,}$', '(?i)schema|^[A-Z]\\w*$', '(?i)_url|[a-z]Url\\b', '(?i)[^A-Z]+'])(
    'refuses %s: under (?i) a capital is any letter',
    (pattern) => {
      expect(regexProblem(pattern)).toMatch(/capitals/)
      expect(() => parseConfig(JSON.stringify({ sources: [{ call: 'f', args: { 0: { name: pattern } } }] }))).toThrow(/capitals/)
    },
  )

  it.each(['(?i)[A-Za-z0-9]+', '(?i)\\[A-Z\\]', '(?i)DES|[a-z]{2}', '[A-Z]{3}', '^[a-z]+[A-Z]'])('accepts %s', (pattern) => {
    expect(regexProblem(pattern)).toBeNull()
  })

  it.each(['^[a-z]+$', '(?i)(?:pass|word)\\s{0,5}=', '\\b(ghp_[A-Za-z0-9]{36})\\b', 'a.*b', '^(?!x).{0,80}y'])(
    'accepts %s',
    (pattern) => {
      expect(regexProblem(pattern)).toBeNull()
    },
  )

  it('never throws, whatever the pattern is', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 40 }), (pattern) => {
        const problem = regexProblem(pattern)
        return problem === null || typeof problem === 'string'
      }),
    )
  })
})

describe('token patterns', () => {
  const tokens = (sql: string) => splitSql(sql)[0]?.tokens ?? []
  it.each([
    ['^GRANT ALL ...', 'grant all privileges on x to y', true],
    ['^GRANT ALL ...', 'SELECT 1 -- grant all', false],
    ['^GRANT ... TO PUBLIC', 'GRANT SELECT ON a TO PUBLIC', true],
    ['^GRANT ... TO PUBLIC $', 'GRANT SELECT ON a TO PUBLIC WITH GRANT OPTION', false],
    ['PASSWORD <string>', "CREATE USER a PASSWORD 'x'", true],
    ['PASSWORD <string>', 'SELECT password FROM users', false],
    ['{a,b} * c', 'b x c', true],
  ])('%s on %s: %s', (pattern, sql, expected) => {
    expect(matchTokens(pattern, tokenLine(tokens(sql))) !== null).toBe(expected)
  })
})

describe('SQL statements', () => {
  it('splits at semicolons outside of quotes, comments and routines', () => {
    const sql = `SELECT ';'; -- a; b
      /* ; */ SELECT [a;b], "c;d", \`e;f\` FROM t;
      CREATE PROCEDURE p AS BEGIN SELECT 1; SELECT 2; END;
      SELECT 3`
    expect(splitSql(sql).map((statement) => statement.tokens[0]?.text)).toEqual(['SELECT', 'SELECT', 'CREATE', 'SELECT'])
  })

  it('knows DELIMITER, GO, a slash on its own line and dollar quotes', () => {
    const sql =
      'DELIMITER //\nCREATE PROCEDURE p() BEGIN SELECT 1; END //\nDELIMITER ;\nSELECT 2\nGO\nSELECT 3\n/\nCREATE FUNCTION f() RETURNS int AS $x$ BEGIN RETURN 1; END; $x$ LANGUAGE plpgsql;'
    const firsts = splitSql(sql).map((statement) =>
      statement.tokens
        .slice(0, 2)
        .map((token) => token.text)
        .join(' '),
    )
    expect(firsts.filter((first) => first !== 'LANGUAGE PLPGSQL')).toEqual([
      'CREATE PROCEDURE',
      'SELECT 2',
      'SELECT 3',
      'CREATE FUNCTION',
    ])
  })
})

describe('SQL strings', () => {
  const strings = (sql: string) =>
    splitSql(sql).flatMap(({ tokens }) => tokens.filter((token) => token.kind === 'string').map((token) => token.text))
  it.each([
    ['T-SQL', "DECLARE @p nvarchar(9) = 'D:\\In\\' + @f + 'x';", ['D:\\In\\', 'x']],
    ['Oracle', "CREATE PROCEDURE p(f VARCHAR2) IS BEGIN q('C:\\' || f || 'x'); END;", ['C:\\', 'x']],
    [
      'PostgreSQL',
      "CREATE FUNCTION f() RETURNS text AS $$ SELECT 'a\\' || 'b' || E'c\\'d' $$ LANGUAGE sql;",
      ['a\\', 'b', "c'd"],
    ],
    ['MySQL', "DELIMITER //\nSELECT 'it\\'s', 'x' //", ["it's", 'x']],
    ['no dialect', "SELECT 'it\\'s', 'x';", ["it's", 'x']],
  ])('%s: a backslash escapes or does not', (_dialect, sql, expected) => {
    expect(strings(sql)).toEqual(expected)
  })
})

describe('routines of SQL', () => {
  it('takes the routines of an Oracle package apart', () => {
    const sql = `CREATE OR REPLACE PACKAGE BODY b AS
      n NUMBER := 1;
      FUNCTION f(p VARCHAR2) RETURN NUMBER;
      FUNCTION f(p VARCHAR2) RETURN NUMBER IS v NUMBER; BEGIN RETURN 1; END f;
      PROCEDURE g IS BEGIN NULL; END;
    END b;`
    expect(splitSql(sql).map(({ tokens }) => `${tokens[0]?.text} ${tokens.at(-1)?.text}`)).toEqual([
      'CREATE ;',
      'FUNCTION NUMBER',
      'FUNCTION F',
      'PROCEDURE END',
      'END B',
    ])
  })

  it.each([
    ['CREATE FUNCTION f() RETURNS void LANGUAGE sql AS $$ UPDATE t SET a = md5(b); $$;', 'MD5'],
    ['CREATE FUNCTION f() RETURNS void LANGUAGE sql AS $$ DELETE FROM t; $$;', 'DELETE'],
  ])('reads a body in plain SQL: %s', (sql, word) => {
    expect(splitSql(sql)[0]?.tokens.map((token) => token.text)).toContain(word)
  })
})

describe('secrets', () => {
  it('tells placeholders from secrets', () => {
    for (const text of ['changeme', 'your-api-key', 'xxxxxxxx', '${TOKEN}', '<password>', 'EXAMPLEKEY', 'aaaaaaaaaa'])
      expect(isPlaceholder(text)).toBe(true)
    for (const text of ['Zr7Lw4Vb8Tn3', 'x9Kq2mZr7Lw4Vb8T']) expect(isPlaceholder(text)).toBe(false)
  })

  it('measures entropy in bits per character', () => {
    expect(entropyOf('aaaa')).toBe(0)
    expect(entropyOf('abcd')).toBe(2)
  })
})

describe('the cache of checked rules', () => {
  const ruleFile = (title: string) => `rules:
  - id: any-test-rule
    title: ${title}
    cwe: [20]
    category: injection
    severity: low
    languages: [python]
    match: { call: f }
    message: A message that is long enough.
    suggestion: Do something else.
    examples: { bad: [f()], good: [g()] }
`
  const folder = mkdtempSync(join(tmpdir(), 'rules-'))
  const kept = join(folder, 'kept')
  const all = join(kept, 'all.json')
  const file = join(folder, 'rules', 'one.yaml')
  const titles = (): string[] => readRuleData(folder, kept).rules.map(({ rule }) => rule.title)
  beforeAll(() => {
    mkdirSync(join(folder, 'rules'))
    mkdirSync(join(folder, 'frameworks'))
    writeFileSync(file, ruleFile('First title'))
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  it('serves the rules that it was made from', () => {
    expect(titles()).toEqual(['First title'])
    writeFileSync(all, readFileSync(all, 'utf8').replace('First title', 'From the cache'))
    expect(titles()).toEqual(['From the cache'])
  })

  it('is made again when a file changes, comes or goes, and when it is damaged', () => {
    writeFileSync(file, ruleFile('Second title'))
    expect(titles()).toEqual(['Second title'])
    const other = join(folder, 'rules', 'two.yaml')
    writeFileSync(other, ruleFile('Third title').replace('any-test-rule', 'any-other-rule'))
    expect(titles()).toEqual(['Second title', 'Third title'])
    rmSync(other)
    expect(titles()).toEqual(['Second title'])
    writeFileSync(all, '{ half')
    expect(titles()).toEqual(['Second title'])
  })

  it('puts excuses where rules name them, from whichever file, and refuses names that nothing has', () => {
    const excuses = join(folder, 'rules', 'excuses.yaml')
    writeFileSync(
      file,
      ruleFile('First title').replace('    message', '    unless: [in-tests, { inside: { loop: true } }]\n    message'),
    )
    expect(titles).toThrow(/one\.yaml is not valid: rules\.0\.unless/)
    writeFileSync(excuses, "excuses: { in-tests: [{ inside: { function: '^test_' } }] }")
    const [only] = readRuleData(folder, kept).rules
    expect(only?.rule.unless).toEqual([{ inside: { function: '^test_' } }, { inside: { loop: true } }])
    rmSync(excuses)
  })

  it('never hides that a file is invalid', () => {
    writeFileSync(file, ruleFile('Short'))
    expect(titles).toThrow(/one\.yaml is not valid/)
    writeFileSync(file, ruleFile('First title').replace('{ call: f }', "{ tokens: 'a /(x+)+$/' }"))
    expect(titles).toThrow(/quantifier/)
  })
})

describe('shipped rules', () => {
  it('are valid and have unique ids, and every pack is valid', () => {
    expect(loadRules().length).toBeGreaterThan(20)
    expect(loadPacks().length).toBeGreaterThan(5)
  })

  it('map to Secure Coding and at least one other standard each', () => {
    const standards = loadStandards()
    for (const { rule } of loadRules()) {
      const names = new Set(clausesOf(rule, standards).map((clause) => clause.standard))
      expect([rule.id, names.has('Secure Coding'), names.size > 1]).toEqual([rule.id, true, true])
    }
  })

  it('report every taint kind that some pack has a sink for', () => {
    const kinds = new Map<string, Set<string>>()
    for (const { rule } of loadRules())
      if (rule.taint !== undefined)
        for (const language of rule.languages) kinds.set(language, (kinds.get(language) ?? new Set()).add(rule.taint.kind))
    const orphans = loadPacks().flatMap((pack) =>
      pack.sinks.flatMap((sink) =>
        pack.languages.some((language) => kinds.get(language)?.has(sink.kind) === true) ? [] : [`${pack.pack}: ${sink.kind}`],
      ),
    )
    expect([...new Set(orphans)]).toEqual([])
  })

  const rule = {
    id: 'a-b',
    title: 'A rule title',
    cwe: [1],
    category: 'x',
    severity: 'low',
    languages: ['go'],
    message: 'A message of enough length.',
    suggestion: 'Do something.',
    examples: { bad: ['a'], good: ['b'] },
  }
  it('must have match or taint', () => {
    expect(ruleSchema.safeParse(rule).success).toBe(false)
    expect(ruleSchema.safeParse({ ...rule, match: { call: 'x' } }).success).toBe(true)
    expect(ruleSchema.safeParse({ ...rule, match: { call: 'x' }, taint: { kind: 'sql' } }).success).toBe(true)
  })
  it.each([
    ['a dot in braces', { match: { call: 'a.{b.c,d}' } }, /dot inside of \{\}/],
    ['arguments in `unless` of a taint rule', { taint: { kind: 'sql' }, unless: { args: { 0: { is: 1 } } } }, /args: `unless`/],
    [
      'a subject in `unless` of a rule about literals',
      { match: { literal: { is: 'x' } }, unless: { call: 'f' } },
      /call: `unless`/,
    ],
    ['`unless` of a rule about text', { match: { text: 'x' }, unless: { file_has: 'y' } }, /rules about text/],
    [
      'arguments of a parameter',
      { taint: { kind: 'sql', sources: [{ parameter: { index: 0 }, argc: 1 }] } },
      /argc: a parameter/,
    ],
    [
      'conditions of a cast',
      { taint: { kind: 'sql', sanitizers: [{ cast: 'X', kinds: 'all', file_has: 'y' }] } },
      /file_has: a cast/,
    ],
  ])('refuse what would be ignored: %s', (_name, part, message) => {
    expect(ruleSchema.safeParse({ ...rule, ...part }).error?.message).toMatch(message)
  })
  it('may excuse a taint rule by its place', () => {
    const excused = { ...rule, taint: { kind: 'sql' }, unless: { inside: { function: 'x' } } }
    expect(ruleSchema.safeParse(excused).success).toBe(true)
  })
})

describe('standards', () => {
  const standards = loadStandards()
  it('are the ten in force and two older editions, in their order', () => {
    expect(standards.map((standard) => standard.name)).toEqual([
      'OWASP Top 10',
      'CWE Top 25',
      'PCI DSS 4.0.1',
      'HIPAA',
      'GDPR',
      'SOC 2',
      'ISO 27001',
      'NIST 800-53',
      'Secure Coding',
      'ASVS 5.0.0',
      'OWASP Top 10:2021',
      'CWE Top 25:2024',
    ])
  })

  it('are found in any letter case and by alias', () => {
    expect(selectStandards(['owasp top 10', 'PCI-DSS', 'soc2'], standards).map((standard) => standard.name)).toEqual([
      'OWASP Top 10',
      'PCI DSS 4.0.1',
      'SOC 2',
    ])
  })

  it('refuse an unknown name with the list of the known ones', () => {
    expect(() => selectStandards(['FOO'], standards)).toThrow(/OWASP Top 10, CWE Top 25/)
  })
})
