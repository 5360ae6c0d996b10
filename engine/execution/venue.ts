import { checkBounds, type FieldBounds } from './bounds.js';

/**
 * The steps of prices and sizes that a venue takes. Only live orders are rounded; a backtest warns
 * that it does not round. A caller writes the steps among the execution settings, but no result
 * depends on them, so they are no settings of the table.
 */
const venueFields = {
  tick_size: {
    kind: 'number',
    nullable: true,
    above: 0,
    unit: 'quote currency',
    description: 'step of prices; live orders are rounded to it, purchases down and sales up',
  },
  lot_size: {
    kind: 'number',
    nullable: true,
    above: 0,
    unit: 'base asset',
    description: 'step of sizes; live orders are rounded down to it',
  },
} as const satisfies Readonly<Record<string, FieldBounds>>;

type VenueFieldName = keyof typeof venueFields;

/** Steps of prices and sizes; null where there is none. */
export type Venue = Readonly<Record<VenueFieldName, number | null>>;

export const isVenueField = (name: string): name is VenueFieldName => Object.hasOwn(venueFields, name);

export const venueFieldNames = Object.keys(venueFields) as readonly VenueFieldName[];

export function readVenueField(name: VenueFieldName, value: unknown): number | null {
  checkBounds(name, venueFields[name], value);
  return value as number | null;
}

/** What a backtest says of steps that it was given. */
export function venueWarning(venue: Venue): string | null {
  const given = venueFieldNames.filter((name) => venue[name] !== null);
  if (given.length === 0) return null;
  return `${given.join(' and ')} ${given.length === 1 ? 'rounds' : 'round'} live orders only: a backtest does not round`;
}

/** Decimals of the widest step that prices have. */
const DECIMALS_MAX = 12;
/** Of a step: a price that is this near to a multiple is one, as 0.3 is of 0.1. */
const NEAR = 1e-9;

/** A size in whole lots, never more than asked. */
export const inLots = (size: number, { lot_size }: Venue): number =>
  lot_size === null ? size : toStep(Math.floor(size / lot_size + NEAR), lot_size);

/**
 * A price in whole ticks: of a purchase rounded down, of a sale up. So a limit never fills worse
 * than asked, and a stop never later.
 */
export function inTicks(price: number, isPurchase: boolean, { tick_size }: Venue): number {
  if (tick_size === null) return price;
  const steps = price / tick_size;
  return toStep(isPurchase ? Math.floor(steps + NEAR) : Math.ceil(steps - NEAR), tick_size);
}

/** A multiple of a step without the dust of its product. */
const toStep = (count: number, step: number): number => {
  const product = count * step;
  const decimals = decimalsOf(step);
  return decimals === null ? product : Number(product.toFixed(decimals));
};

/** Decimals of a step such as 0.025; null for one that no few decimals write. */
function decimalsOf(step: number): number | null {
  for (let decimals = 0; decimals <= DECIMALS_MAX; decimals++) {
    if (Number(step.toFixed(decimals)) === step) return decimals;
  }
  return null;
}
