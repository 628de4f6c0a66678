// The line protocol of compare.py, for peers on Node.
const { performance } = require('perf_hooks')

const CHUNK = 1000

const argument = (i, t = 0) => ({ i, t, name: `user-${i}` })

const nowMicros = () => Math.round((performance.timeOrigin + performance.now()) * 1000)

// Counts each number once, so that a job run twice does not hide one that was lost.
function counter (expected) {
  const seen = new Uint8Array(expected)
  const latencies = new Array(expected).fill(0)
  let executed = 0; let unique = 0; let first; let half
  return ({ i, t }) => {
    const now = nowMicros()
    executed++
    if (seen[i]) return
    seen[i] = 1
    unique++
    if (t > 0) latencies[i] = now - t
    if (unique === 1) first = now
    if (unique === Math.floor(expected / 2)) half = now
    if (unique === expected) {
      console.log('DONE ' + JSON.stringify({ executed, first_us: first, half_us: half, last_us: now, lat_us: latencies }))
    }
  }
}

async function timed (count, step, enqueue) {
  console.log('START')
  const start = performance.now()
  for (let i = 0; i < count; i += step) await enqueue(i, Math.min(i + step, count))
  console.log('DONE ' + JSON.stringify({ elapsed_s: (performance.now() - start) / 1000 }))
}

async function paced (count, millis, enqueue) {
  const start = performance.now()
  for (let i = 0; i < count; i++) {
    const wait = start + i * millis - performance.now()
    if (wait > 0) await new Promise(resolve => setTimeout(resolve, wait))
    await enqueue(argument(i, nowMicros()))
  }
}

// A peer has three functions: one(argument), many(arguments), work(concurrency, run).
module.exports = async function drive (version, connect) {
  const [command, a, b] = process.argv.slice(2)
  if (command === 'version') {
    console.log(`VERSION ${version}, node ${process.versions.node}`)
    return
  }
  const peer = await connect({ host: '127.0.0.1', port: Number(process.env.BENCH_REDIS_PORT || 6390) }, command === 'work')
  if (command === 'work') {
    const run = counter(Number(a))
    process.on('SIGTERM', () => process.exit(0))
    console.log('START')
    peer.work(Number(b), run)
    return
  }
  if (command === 'paced') await paced(Number(a), Number(b), peer.one)
  else if (a === 'single') await timed(Number(b), 1, i => peer.one(argument(i)))
  else await timed(Number(b), CHUNK, (from, to) => peer.many(Array.from({ length: to - from }, (_, k) => argument(from + k))))
  process.exit(0)
}
