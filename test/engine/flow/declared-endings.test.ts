import { expect, it } from 'vitest'
import { endingsIn } from '../../../subgraphs/compliance/engine/facts/c/endings.js'

it.each([
  '__attribute__((noreturn)) void stop_at(const char *m, int l);',
  'void stop_at(const char *m, int l) __attribute__((noreturn));',
  '__attribute__((__noreturn__, __format__(printf, 1, 2))) void stop_at(const char *m, ...);',
  'static void __attribute__((noreturn)) stop_at(const char *m) { for (;;) pause(); }',
  '_Noreturn void stop_at(const char *m);',
  'NORETURN void stop_at(const char *m);',
  'extern void stop_at(const char *m) LIB_NORETURN;',
  'extern void stop_at(const char *m) PRINTF_LIKE(1, 2) NO_RETURN;',
  'void stop_at(const char *m) __dead2;',
  'class tool { int n; [[noreturn]] static void stop_at(const char *m); };',
  '__declspec(noreturn) void stop_at(const char *m);',
  '#ifdef __GNUC__\nnoreturn\n#endif\nvoid stop_at(const char *m);',
])('%s', (declaration) => {
  expect([...endingsIn(`int before(void);\n${declaration}\nint after(int n) { return n; }`)]).toEqual(['stop_at'])
})

it('what only speaks of it declares nothing', () => {
  const text =
    '#define NORETURN __attribute__((noreturn))\nint noreturn_count;\n// noreturn, nearly\nint g(int n);\n/*\n * not noreturn\n */\nint f(int n) { return n; }\n'
  expect([...endingsIn(text)]).toEqual([])
})
