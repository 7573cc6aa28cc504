/** Files that test others, by their place and name: what is wrong there harms nobody who uses the program. */

const FOLDER =
  /(?:^|[/\\])(?:(?:unit|integration|android|lib|self|pkg|acme|e2e|fs|http)?-?tests?|\w+[-_]tests?|t|regress(?:ion)?|test-?suites?|test-?code|src[/\\]it|(?:\w{1,30}-){0,3}test[-_]?(?:util(?:itie)?s?|helpers?|support)|__tests__|testing|test-?env|testdata|specs?|fixtures?|fuzz(?:ing|ers?)?|bench(?:marks?)?)[/\\]/i

/** `orders.test.ts`, `orders_test.go`, `test_orders.py`, `orders-spec.js`, Django's `tests.py`. */
const NAME =
  /(?:^|[/\\])(?:tests?[_-][^/\\]*|conftest|tests(?=\.py$)|bench(?:mark)?(?=\.(?:sh|bash)$)|[^/\\]*[._-](?:tests?|testing|spec)(?:[_-](?:utils?|helpers?|support|fixtures?))?)\.\w+$/i

/** `OrdersTest.java`, `OrdersTests.cs`, `OrdersSpec.scala`. */
const CLASS = /[a-z\d](?:Tests?|TestCase|Spec|IT)\.(?:java|kt|scala|groovy|cs|swift|php)$/

export const isTestFile = (filename: string): boolean => FOLDER.test(filename) || NAME.test(filename) || CLASS.test(filename)

/** `orders_test.go`, which no program is built of, and what other languages name like it: a runner of tests is all that loads it. */
export const isUnitTest = (filename: string): boolean => /_test\.go$|\.(?:test|spec)\.[cm]?[jt]sx?$/.test(filename)

/** Shown to readers, who copy it: only what nobody minds in an example either is left out there. */
export const isExample = (filename: string): boolean => /(?:^|[/\\._-])examples?(?:[/\\._-]|$)/i.test(filename)

/** A folder of programs that show how something is used: nobody runs them, but what strangers send to one they send to its copies. */
export const isExampleFolder = (filename: string): boolean => /(?:^|[/\\])examples?[/\\]/i.test(filename)

const PROGRAM = /(?:^|[/\\])tests?\.(?:c|cc|cpp|cxx)$/i
/** `static void test_reply(void) {` */
const TEST = /^(?:static[ \t]+)?(?:void|int|bool)[ \t\n]+test_?\w{1,60}[ \t]*\([^;{}()]{0,200}\)\s{0,9}\{/gim
const leastTests = 3

/** `test.c`, where it consists of tests. */
export const isTestProgram = (filename: string, text: string): boolean =>
  PROGRAM.test(filename) && [...text.matchAll(TEST)].length >= leastTests
