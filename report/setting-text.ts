import { byMemberText } from '../engine/portfolio/index.js';
import { NONE } from './format.js';

/** A setting as text: numbers as in JSON, nested objects as JSON that can wrap. */
export function settingText(value: unknown): string {
  if (value instanceof Map) return byMemberText(value, settingText);
  if (typeof value === 'string') return value;
  if (typeof value === 'number' && !Number.isFinite(value)) return NONE;
  return value === undefined ? NONE : JSON.stringify(value, null, 1).replace(/\n\s*/g, ' ');
}
