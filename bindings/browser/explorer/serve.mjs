// serve.mjs - serves the explorer on this machine, and the files of a directory with range requests:
// node explorer/serve.mjs PAGE [DIRECTORY [PORT]], then http://localhost:PORT/#url=/data/NAME.tacozip
import http from 'node:http'
import path from 'node:path'
import sirv from 'sirv'

const [page = 'dist', directory = '.', port = '8000'] = process.argv.slice(2)
const assets = sirv(path.resolve(page), { dev: true })
const data = sirv(path.resolve(directory), { dev: true, dotfiles: true })
const server = http.createServer((q, s) => {
  const none = () => s.writeHead(404).end()
  if (!q.url.startsWith('/data/')) return assets(q, s, none)
  q.url = q.url.slice('/data'.length)
  data(q, s, none)
}).listen(Number(port), '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${server.address().port}/   files of ${path.resolve(directory)}: /data/NAME`)
})
