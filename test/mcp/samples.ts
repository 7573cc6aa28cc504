/** Code that every test of the tools can scan: one critical violation at line 4, and none. */

export const dangerous = "import os\nfrom flask import request\ndef run():\n    os.system('ls ' + request.args['path'])\n"

export const harmless = 'def add(a, b):\n    return a + b\n'

export const languageNames = [
  'javascript',
  'typescript',
  'python',
  'java',
  'go',
  'csharp',
  'php',
  'ruby',
  'swift',
  'kotlin',
  'rust',
  'c',
  'cpp',
  'scala',
  'bash',
  'sql',
]
