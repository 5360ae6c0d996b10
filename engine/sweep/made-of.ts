import type { RandomSignals, Selection, SideSelection, SweepDefinition } from './definition.js';
import { registryPool } from './random-search.js';

/** What the runs of a sweep have of the rules that one of its sides lists. */
interface MadeOf {
  /** `entry_signals: its trigger, 1 of 2 filters in each run; max_filters 2 adds both` */
  readonly words: string;
  /** Whether every listed rule is in every run, and no other one. */
  readonly isWhole: boolean;
}

/** What runs are made of, side by side, and which key changes that; sides without rules are left out. */
export function madeOf(definition: SweepDefinition): MadeOf[] {
  const { entry, exit, short, mode, randomSignals } = definition;
  const sides: readonly (readonly [place: string, side: SideSelection, isEntry: boolean])[] = [
    ['entry_signals', entry, true],
    ['exit_signals', exit, false],
    ...(short === null
      ? []
      : ([
          ['short_entry_signals', short.entry, true],
          ['short_exit_signals', short.exit, false],
        ] as const)),
  ];
  return sides.flatMap(([side, groups, isEntry]) =>
    groups.flatMap((group, g) => {
      const place = groups.length === 1 ? side : `${side}.any[${g}]`;
      if (mode === 'random')
        return [{ words: `${place}: ${drawnWords(group, isEntry, randomSignals)}`, isWhole: false }];
      const { triggers, filters } = group;
      return triggers.length === 0 ? [] : [listedOf(place, triggers.length, filters.length, group)];
    }),
  );
}

function listedOf(
  place: string,
  triggers: number,
  filters: number,
  { filterMin, filterMax }: Pick<Selection, 'filterMin' | 'filterMax'>,
): MadeOf {
  const all = filters === 2 ? 'both' : `all ${filters}`;
  const more =
    filterMax < filters
      ? `; max_filters ${filters} adds ${filters === 1 ? 'it' : all}`
      : filterMin < filters
        ? `; min_filters ${filters} puts ${filters === 1 ? 'it' : all} in each run`
        : '';
  const every = filters === 1 ? 'its filter' : `${all} filters`;
  const some = `${spanWords(filterMin, filterMax)} of ${filters} filters`;
  const chosen = filters === 0 ? '' : `, ${filterMin === filters ? every : some}`;
  return {
    words: `${place}: ${triggers === 1 ? 'its trigger' : `1 of ${triggers} triggers`}${chosen} in each run${more}`,
    isWhole: triggers === 1 && more === '',
  };
}

const spanWords = (min: number, max: number): string => (min === max ? `${min}` : `${min} to ${max}`);

/** What a random search draws for a side, from what, and which keys change it. */
function drawnWords({ triggers, filters }: Selection, isEntry: boolean, counts: RandomSignals): string {
  const pool = (listed: number, role: 'TRIGGER' | 'FILTER') => {
    const kind = `${role.toLowerCase()}s`;
    if (listed === 0) return `all ${registryPool(role).length} ${kind} of the registry, as none is listed`;
    return listed === 1 ? 'the listed one' : `the ${listed} listed ${kind}`;
  };
  const side = isEntry ? 'entry' : 'exit';
  const [least, most] = [counts[`min_${side}_filters`], counts[`max_${side}_filters`]];
  const drawn = [
    `a trigger from ${pool(triggers.length, 'TRIGGER')}`,
    most === 0 ? 'no filter' : `${spanWords(least, most)} filters from ${pool(filters.length, 'FILTER')}`,
    'and within the bounds of the registry every parameter that is neither fixed nor swept',
  ].join(', ');
  const filterKeys = `min_${side}_filters and max_${side}_filters`;
  if (isEntry) return `each run draws ${drawn}; random_signals.${filterKeys} change that`;
  const { min_exit_triggers: exitsMin, max_exit_triggers: exitsMax } = counts;
  if (exitsMax === 0) return 'no run has exit rules; random_signals.max_exit_triggers 1 draws some';
  const often =
    exitsMin === 1
      ? 'each run draws'
      : 'half of the runs have none (random_signals.min_exit_triggers 1 and max_exit_triggers 0 change that), the others draw';
  return `${often} ${drawn}; random_signals.${filterKeys} change that`;
}
