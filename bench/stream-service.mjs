// Runs the compiled service in this process and sends its address to the parent process. When
// asked, it also sends when it stored each event (epoch ms by id), how long its event loop was
// blocked and its CPU time (ms). Needs `npm run build`.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createObserver } from '../dist/server/observe.js';
import { startService } from '../dist/server/start.js';
import { SqlDeployedStore } from '../dist/service/deployed/store.js';
import { readServiceConfig } from '../dist/service/settings/config.js';

const stored = {};
const { advance } = SqlDeployedStore.prototype;
SqlDeployedStore.prototype.advance = async function (...args) {
  const isStored = await advance.apply(this, args);
  const now = performance.timeOrigin + performance.now();
  // A new store counts from 1.
  if (isStored) for (const _ of args[2].events) stored[Object.keys(stored).length + 1] = now;
  return isStored;
};

const service = await startService({
  config: readServiceConfig(process.env),
  version: 'bench',
  packageRoot: new URL('..', import.meta.url).pathname,
  observer: createObserver('silent', 'bench'),
  parts: ['http', 'rpc', 'worker'],
});
let cpu = process.cpuUsage();
const delay = monitorEventLoopDelay({ resolution: 1 });
process.on('message', async (question) => {
  if (question === 'measure') {
    cpu = process.cpuUsage();
    delay.enable();
  }
  if (question === 'tell') {
    const keptMs = { p50: delay.percentile(50) / 1e6, p99: delay.percentile(99) / 1e6 };
    const { user, system } = process.cpuUsage(cpu);
    process.send({ stored, keptMs, cpuMs: (user + system) / 1000 });
  }
  if (question === 'stop') {
    await service.stop();
    process.disconnect();
  }
});
process.send({ origin: service.origin, key: service.firstKey });
