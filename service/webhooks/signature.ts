import { createHmac } from 'node:crypto';

/** A delivery as its headers describe it; `docs/webhooks.md` tells receivers how to check them. */
interface DeliveryHeaders {
  readonly id: string;
  readonly type: string;
  readonly body: string;
  /** Time of the attempt, epoch ms. */
  readonly nowMs: number;
}

/** HMAC-SHA256 of the time in whole seconds, a dot and the body, in hexadecimal digits. */
const signature = (secret: string, timestamp: string, body: string): string =>
  createHmac('sha256', secret).update(`${timestamp}.${body}`, 'utf8').digest('hex');

export function deliveryHeaders(secret: string, { id, type, body, nowMs }: DeliveryHeaders): Record<string, string> {
  const timestamp = String(Math.floor(nowMs / 1000));
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'barline-webhooks',
    'X-Barline-Event': type,
    'X-Barline-Delivery': id,
    'X-Barline-Timestamp': timestamp,
    'X-Barline-Signature': `sha256=${signature(secret, timestamp, body)}`,
  };
}
