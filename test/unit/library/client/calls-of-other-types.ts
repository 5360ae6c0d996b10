/**
 * Types know every path and field, and nothing else: `npm run check` fails where a line below a
 * mark has no error. Nothing runs this file.
 */
import type { RestClient } from '../../../../library/client/rest.js';

export function calls(barline: RestClient): void {
  barline.GET('/api/v1/strategies');
  // @ts-expect-error no such path
  barline.GET('/api/v1/nowhere');
  // @ts-expect-error a name is a text
  barline.POST('/api/v1/strategies', { body: { name: 7 } });
}
