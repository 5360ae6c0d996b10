import { createHmac } from 'node:crypto';

/** Headers of a delivery; `docs/webhooks.md` says how a receiver checks them. */
interface DeliveryHeaders {
  readonly id: string;
  readonly type: string;
  readonly body: string;
  /** Of the attempt, epoch ms. */
  readonly nowMs: number;
}

/** HMAC-SHA256 over the time in whole seconds, a point and the body, in hexadecimal digits. */
const signatureOf = (secret: string, timestamp: string, body: string): string =>
  createHmac('sha256', secret).update(`${timestamp}.${body}`, 'utf8').digest('hex');

export function deliveryHeaders(secret: string, { id, type, body, nowMs }: DeliveryHeaders): Record<string, string> {
  const timestamp = String(Math.floor(nowMs / 1000));
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'barline-webhooks',
    'X-Barline-Event': type,
    'X-Barline-Delivery': id,
    'X-Barline-Timestamp': timestamp,
    'X-Barline-Signature': `sha256=${signatureOf(secret, timestamp, body)}`,
  };
}
