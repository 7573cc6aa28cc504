const express = require('express')
const { Pool } = require('pg')
const { execFile, exec } = require('child_process')
const pool = new Pool()
const app = express()

const SORTABLE = new Set(['created', 'total'])

function where(filters) {
  return Object.keys(filters).map((key) => `${key} = '${filters[key]}'`).join(' AND ')
}

app.get('/orders', async (req, res) => {
  const sort = SORTABLE.has(req.query.sort) ? req.query.sort : 'created'
  const rows = await pool.query(`SELECT * FROM orders WHERE owner = $1 ORDER BY ${sort}`, [req.query.owner])
  res.json(rows)
})

app.get('/search', async (req, res) => {
  const clause = where(req.query)
  const rows = await pool.query('SELECT * FROM orders WHERE ' + clause) // expect: CWE-89
  res.json(rows)
})

app.post('/export', (req, res) => {
  execFile('tar', ['czf', 'out.tgz', req.body.name])
  exec(`tar czf out.tgz ${req.body.name}`) // expect: CWE-78
  res.end()
})
