import { describe, expect, it } from 'vitest'
import { headerLanguage } from '../../subgraphs/compliance/engine/index.js'

describe('headers with the extension of C', () => {
  it.each([
    'namespace shop {\nint total(int n);\n}',
    '#include <vector>\ntemplate <typename T>\nT pick(const T *all);',
    'class Shop {\n public:\n  int total() const;\n};',
    'struct Shop {\nprivate:\n  int n;\n};',
  ])('are C++ where only C++ is written so: %j', (code) => {
    expect(headerLanguage(code)).toBe('cpp')
  })

  it.each([
    '#ifdef __cplusplus\nextern "C" {\n#endif\nint total(int n);\n#ifdef __cplusplus\n}\n#endif',
    'struct shop { int class_id; };\n/* the class of a shop */',
    'typedef struct { int public; } shop;',
  ])('are C otherwise: %j', (code) => {
    expect(headerLanguage(code)).toBe('c')
  })
})
