#!/usr/bin/env node
/** The program's first file: checks Node before it loads what an older one could not even parse. */
import './server/node-version.js'
import './server/kept-tick.js'
// By no name that an older Node does not export: it would fail before it has been checked.
import module from 'node:module'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'

// What a request allocates dies with it. V8 learns from the first requests, which are slow, that some of it lives on, and from
// then on puts whole requests into the old generation: a fifth of a chat request's processor time (docs/decisions/0010).
setFlagsFromString('--no-allocation-site-pretenuring')
// A full collection while no request is open takes the shapes of what requests are made of, and with them the machine code that
// was made for those shapes. V8 would start one after every pause of eight seconds, and under load one for every tenth by which
// the old generation grows (docs/decisions/0010).
setFlagsFromString('--gc-memory-reducer-start-delay-ms=300000')
setFlagsFromString('--heap-growing-percent=100')

// What V8 makes of the program's text, kept beside it; a folder that cannot be written costs time at the next start, nothing else.
module.enableCompileCache(fileURLToPath(new URL('../compile-cache', import.meta.url)))

const { runCommandLine } = await import('./cli/program.js')
await runCommandLine(process.argv)
