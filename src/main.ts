#!/usr/bin/env node
/** The program's first file: checks Node before it loads what an older one could not even parse. */
import './node-version.js'

const { runCommandLine } = await import('./cli/program.js')
await runCommandLine(process.argv)
