/** How often the analysis of memory says the same. */
import { afterAll, expect, it } from 'vitest'
import { createScanner } from '../../subgraphs/compliance/engine/index.js'
import { ManualClock } from '../kit/manual-clock.js'

const scanner = createScanner({ analyzers: 1, clock: new ManualClock() })
afterAll(() => scanner.close())

it('an allocation that nobody checked is one finding, wherever it is used', async () => {
  const code = `char *join(const char *a, const char *b, size_t n, size_t m) {
  char *whole = malloc(n + m + 1);
  if (a != NULL)
    memcpy(whole, a, n);
  if (b != NULL)
    memcpy(whole + n, b, m);
  whole[n + m] = 0;
  return whole;
}
char *one(void) { char *p = malloc(1); p[0] = 0; return p; }
char *two(void) { char *p = malloc(2); if (p != NULL) p[0] = 0; return p; }
char *three(void) { char *p = malloc(3); if (p != NULL) p[0] = 0; return p; }
char *four(void) { char *p = malloc(4); if (p == NULL) return NULL; p[0] = 0; return p; }
char *five(void) { char *p = malloc(5); if (p == NULL) return NULL; p[0] = 0; return p; }
`
  const [result] = await scanner.scan([{ code, language: 'c' }])
  expect(result?.violations.map(({ ruleId, line }) => `${ruleId} ${line}`)).toEqual([
    'c-unchecked-allocation 4',
    'c-unchecked-allocation 10',
  ])
})

const found = async (code: string): Promise<string[]> => {
  const [result] = await scanner.scan([{ code, language: 'c' }])
  return (result?.violations ?? []).map(({ ruleId, line }) => `${ruleId} ${line}`)
}

it('memory that a file never looks for is told low, also where it looks for what the memory holds', async () => {
  const code = `int colon(const char *s) {
  char *copy = strdup(s), *at = strchr(copy, ':');
  if (at != NULL) *at = 0;
  int n = atoi(copy);
  free(copy);
  return n;
}
int comma(const char *s) {
  char *copy = strdup(s), *at = strchr(copy, ',');
  if (at != NULL) *at = 0;
  int n = atoi(copy);
  free(copy);
  return n;
}
`
  expect(await found(code)).toEqual(['c-unchecked-memory 2', 'c-unchecked-memory 9'])
})

it('the same access again in a function is the same finding, another end of the memory is another one', async () => {
  const code = `void put(struct node *n, int k) {
  free(n);
  n->key = k;
  n->size = k;
  n->next = NULL;
}
void twice(char *a, char *b) {
  free(a);
  a[0] = 0;
  a = b;
  free(a);
  a[0] = 0;
}
`
  expect(await found(code)).toEqual(['c-use-after-free 3', 'c-use-after-free 9', 'c-use-after-free 12'])
})

it('an index that nobody checked is one finding, wherever the function uses it', async () => {
  const code = `int table[16];
void add(int fd) {
  unsigned at;
  if (recv(fd, &at, sizeof at, 0) != sizeof at) return;
  if (table[at] > 0)
    table[at] = 0;
  table[at]++;
}
`
  expect(await found(code)).toEqual(['c-unchecked-index 5'])
})

it('words that nobody can read leave no way on which a pointer is NULL', async () => {
  const code = `void start(void *rawParser PARSER_PARAM){
  Parser *parser = (Parser*)rawParser;
  PARSER_STORE
#ifdef TRACK
  parser->high = 0;
#endif
#if DEPTH<=0
  parser->top = NULL;
#endif
  parser->count = -1;
}
void stop(void) { struct parser *p = NULL; p->stack = 0; }
`
  expect(await found(code)).toEqual(['c-null-dereference 12'])
})

it('a value that a function may give by its address under a condition is there under that condition', async () => {
  const code = `void follow(struct clock *c) {
  double offset;
  if (c->local) read_offset(c, &offset);
  update(c);
  if (c->local) use(offset + 1);
}
`
  expect(await found(code)).toEqual([])
})

it('a file that was examined by its name is one finding, whatever is done to it afterwards', async () => {
  const code = `int save(const char *path, const char *other) {
  if (access(path, W_OK) != 0 || access(other, W_OK) != 0) return -1;
  FILE *out = fopen(path, "ab");
  if (out == NULL) out = fopen(path, "wb");
  if (out == NULL) return -1;
  fclose(out);
  return rename(other, "kept");
}
`
  expect((await found(code)).filter((one) => one.startsWith('c-file-race'))).toEqual(['c-file-race 3', 'c-file-race 7'])
})
