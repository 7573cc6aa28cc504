/** Code that every test of the tools can scan: one critical violation at line 4, and none. */

export const dangerous = "import os\nfrom flask import request\ndef run():\n    os.system('ls ' + request.args['path'])\n"

/** Two violations: one whose data takes four steps, and one that is not about data. */
export const flowing =
  "import os, requests\nfrom flask import request\ndef run():\n    name = request.args['name']\n    command = 'ls ' + name\n    os.system(command)\n    requests.get('https://a.example', verify=False)\n"

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
