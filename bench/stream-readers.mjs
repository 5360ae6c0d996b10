// Opens a number of readers of an event stream and prints `open` when all are ready. When each
// reader has the given number of events, prints one line of JSON: by event id, when the first and
// the last reader had it (epoch ms). Fails unless all readers were sent the same bytes in the same
// order.
import { Agent, get } from 'node:http';

const [url, token, readers, events] = process.argv.slice(2);
const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY });
const seen = new Map();
let reference = null;
let ready = 0;
let done = 0;

for (let reader = 0; reader < Number(readers); reader++) {
  get(url, { agent, headers: { Authorization: `Bearer ${token}` } }, (response) => {
    response.setEncoding('utf8');
    let text = '';
    let count = 0;
    let all = '';
    response.on('data', (chunk) => {
      const now = performance.timeOrigin + performance.now();
      text += chunk;
      for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
        const frame = text.slice(0, end);
        text = text.slice(end + 2);
        if (frame.startsWith('event: ready')) {
          if (++ready === Number(readers)) console.log('open');
        }
        const id = /^id: (\d+)/.exec(frame)?.[1];
        if (id === undefined || count === Number(events)) continue;
        count++;
        all += frame;
        const { first = now, readers: had = 0 } = seen.get(id) ?? {};
        seen.set(id, { first, last: now, readers: had + 1 });
        if (count === Number(events)) finish(all);
      }
    });
  });
}

function finish(all) {
  reference ??= all;
  if (all !== reference) {
    console.error('two readers were sent different events');
    process.exit(1);
  }
  if (++done < Number(readers)) return;
  console.log(JSON.stringify(Object.fromEntries(seen)));
  process.exit(0);
}
