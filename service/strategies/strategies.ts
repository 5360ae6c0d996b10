import { randomUUID } from 'node:crypto';
import { barsFor } from '../../data/bars/index.js';
import { sha256 } from '../../data/hashes/index.js';
import type { MarketData } from '../../data/providers/index.js';
import { isUuid } from '../../data/state/index.js';
import { canonicalJson } from '../../engine/canonical-json.js';
import type { Composition } from '../../engine/strategy/index.js';
import { ApiError, notFound, requireFields } from '../api-error.js';
import type { Caller } from '../caller.js';
import { executionDefaults } from '../config/index.js';
import type { Tiers } from '../identity/index.js';
import { clampPage, requireUuid } from '../read-fields.js';
import type { WarningLog } from '../setting-warnings.js';
import { missingBarsWarnings, overlayConfig, readRules } from './definition.js';
import {
  definedFields,
  fieldsOfRules,
  freshState,
  type OwnStrategy,
  readState,
  readStatus,
  readStatuses,
  rewardIn,
  type StrategyDetail,
  type StrategyFields,
  type StrategyListItem,
  shortText,
  stateFields,
  toDetail,
  toListItem,
  toOwnStrategy,
  withReward,
} from './records.js';
import type { StrategyRow, StrategyStore } from './store.js';
import type { StoredRules } from './tables.js';

interface CreateStrategyRequest extends StrategyFields {
  readonly status?: string;
  readonly session_id?: string;
  readonly parent_strategy_id?: string;
  readonly execution_state?: unknown;
}

interface UpdateStrategyRequest extends StrategyFields {
  readonly strategy_id: string;
  /** The rules as a strategy shows them; fields beside it take precedence. */
  readonly rules?: unknown;
}

interface StrategiesOptions {
  readonly store: StrategyStore;
  readonly composition: Composition;
  readonly tiers: Tiers;
  readonly now: () => Date;
  /** Tells whether there are bars to run a strategy on. */
  readonly market: Pick<MarketData, 'resolveSource' | 'drawn'>;
  /** Called with the warnings of a strategy, each time it is written. */
  readonly onWarnings?: WarningLog;
}

/**
 * A strategy as stored, with warnings about settings that the caller may have meant differently.
 */
interface WrittenStrategy {
  readonly strategy: StrategyDetail;
  readonly warnings: readonly string[];
}

interface ListOwnRequest {
  readonly search?: string;
  readonly status?: string;
  readonly limit?: number;
  readonly offset?: number;
  readonly include_archived?: boolean;
}

const LIST_LIMIT = 100;
const OWN_LIMIT = 50;

/** Use cases of stored strategies. */
export class Strategies {
  constructor(private readonly options: StrategiesOptions) {}

  async create(caller: Caller, request: CreateStrategyRequest): Promise<WrittenStrategy> {
    const hasShort = (request.short_entry ?? null) !== null;
    requireFields(request, ['name', 'asset', ...(hasShort ? [] : ['entry'])]);
    const { store, composition, tiers, now } = this.options;
    const { name = '', asset = '', entry, exit, short_entry, short_exit } = request;
    const reward_factor = rewardIn(request);
    const warnings: string[] = [];
    const sides = { entry, exit, short_entry, short_exit };
    const rules = readRules({ name, asset, ...sides, reward_factor }, composition, warnings);
    const base = withReward(executionDefaults(), reward_factor);
    const { config, warnings: ofSettings } = overlayConfig(base, request.execution_config);
    warnings.push(...ofSettings);
    const status = readStatus(request.status ?? 'inactive');
    const state = { ...freshState(config), ...readState(request.execution_state ?? {}) };
    tiers.requireStrategyRoom(caller.tier, await store.count(caller.userId));
    const createdAt = now();
    const row = {
      id: randomUUID(),
      user_id: caller.userId,
      org_id: caller.orgId,
      name,
      asset,
      status,
      rules: JSON.stringify(rules),
      execution_config: JSON.stringify(config),
      execution_state: JSON.stringify(state),
      content_hash: contentHash(rules, config),
      session_id: shortText('session_id', request.session_id),
      parent_strategy_id:
        request.parent_strategy_id === undefined ? null : requireUuid('parent_strategy_id', request.parent_strategy_id),
      strategy_type: shortText('strategy_type', request.strategy_type),
      description: shortText('description', request.description),
      archived_at: null,
      created_at: createdAt,
      updated_at: createdAt,
      last_evaluated_at: null,
    };
    await store.insert(row);
    const stored = { ...row, rules, execution_config: config, execution_state: state, evaluation_count: 0 };
    return this.#written(toDetail(stored), warnings);
  }

  async list(caller: Caller, request: { skip?: number; limit?: number; include_archived?: boolean }) {
    const { offset: skip, limit } = clampPage(request.skip, request.limit, LIST_LIMIT);
    const includeArchived = request.include_archived ?? false;
    const { rows, total } = await this.options.store.list(caller.userId, { includeArchived, skip, limit });
    const strategies: StrategyListItem[] = rows.map(toListItem);
    return { strategies, total, skip, limit };
  }

  /**
   * The overview of a user's strategies, with signals and settings; the status `active` means paper
   * or live.
   */
  async listOwn(caller: Caller, request: ListOwnRequest) {
    const { offset, limit } = clampPage(request.offset, request.limit, OWN_LIMIT);
    const { rows, total } = await this.options.store.listWhole(caller.userId, {
      includeArchived: request.include_archived ?? false,
      ...(request.status === undefined ? {} : { statuses: readStatuses(request.status) }),
      search: request.search,
      skip: offset,
      limit,
    });
    const strategies: OwnStrategy[] = rows.map(toOwnStrategy);
    return { strategies, total, limit, offset };
  }

  async get(caller: Caller, id: string): Promise<StrategyDetail> {
    const row = isUuid(id) ? await this.options.store.find(caller.userId, id) : undefined;
    if (row === undefined) throw notFound('strategy', id);
    return toDetail(row);
  }

  /**
   * Replaces the named fields and lays the given execution settings over the stored ones. Archived
   * strategies cannot be changed.
   */
  async update(caller: Caller, request: UpdateStrategyRequest): Promise<WrittenStrategy> {
    const fields = { ...fieldsOfRules(request.rules), ...definedFields(request) };
    let warnings: string[] = [];
    const strategy = await this.change(caller, request.strategy_id, (stored) => {
      warnings = []; // an attempt that met another change is made again
      if (stored.status === 'archived') {
        throw new ApiError('VALIDATION_ERROR', 'an archived strategy cannot be changed: set another status first', {
          field: 'status',
        });
      }
      const before = stored.rules;
      const { name = stored.name, asset = stored.asset } = fields;
      const reward = rewardIn(fields);
      const reward_factor = reward ?? before.reward_factor;
      const sides = changedSides(fields, before);
      const rules = readRules({ name, asset, ...sides, reward_factor }, this.options.composition, warnings);
      const base = withReward(stored.execution_config, reward);
      const overlaid = overlayConfig(base, fields.execution_config);
      const { config } = overlaid;
      warnings.push(...overlaid.warnings);
      return {
        name,
        asset,
        rules: JSON.stringify(rules),
        execution_config: JSON.stringify(config),
        content_hash: contentHash(rules, config),
        ...(fields.description === undefined ? {} : { description: shortText('description', fields.description) }),
        ...(fields.strategy_type === undefined
          ? {}
          : { strategy_type: shortText('strategy_type', fields.strategy_type) }),
        updated_at: this.options.now(),
      };
    });
    return this.#written(strategy, warnings);
  }

  async delete(caller: Caller, id: string): Promise<void> {
    const wasThere = isUuid(id) && (await this.options.store.delete(caller.userId, id));
    if (!wasThere) throw notFound('strategy', id);
  }

  async setStatus(caller: Caller, request: { strategy_id: string; status?: string }): Promise<StrategyDetail> {
    requireFields(request, ['status']);
    const status = readStatus(request.status);
    return this.change(caller, request.strategy_id, (stored) =>
      stored.status === status ? {} : { status, updated_at: this.options.now() },
    );
  }

  /** @param request the fields of the state under `execution_state` */
  async setExecutionState(
    caller: Caller,
    request: { strategy_id: string; execution_state?: unknown },
  ): Promise<StrategyDetail> {
    const changed = readState(request.execution_state ?? {});
    if (Object.keys(changed).length === 0) {
      const message = `Missing required fields: at least one of ${stateFields.join(', ')}`;
      throw new ApiError('MISSING_FIELD', message, { fields: stateFields });
    }
    return this.change(caller, request.strategy_id, (stored) => ({
      execution_state: JSON.stringify({ ...stored.execution_state, ...changed }),
      updated_at: this.options.now(),
    }));
  }

  /** Hides a strategy from lists or shows it again; its status does not change. */
  async setArchived(caller: Caller, id: string, isArchived: boolean): Promise<StrategyDetail> {
    return this.change(caller, id, (stored) => {
      if ((stored.archived_at !== null) === isArchived) return {};
      const now = this.options.now();
      return { archived_at: isArchived ? now : null, updated_at: now };
    });
  }

  async #written(strategy: StrategyDetail, aboutConfig: readonly string[]): Promise<WrittenStrategy> {
    const { market, onWarnings } = this.options;
    const bars = barsFor(market, strategy.execution_config);
    const warnings = [...aboutConfig, ...(await missingBarsWarnings(strategy.rules, bars))];
    if (warnings.length > 0) onWarnings?.({ strategy_id: strategy.id }, warnings);
    return { strategy, warnings };
  }

  private async change(
    caller: Caller,
    id: string,
    change: Parameters<StrategyStore['update']>[2],
  ): Promise<StrategyDetail> {
    const row: StrategyRow | undefined = isUuid(id)
      ? await this.options.store.update(caller.userId, id, change)
      : undefined;
    if (row === undefined) throw notFound('strategy', id);
    return toDetail(row);
  }
}

/** The rules after a change; an empty list of short entries drops the short side. */
function changedSides(fields: StrategyFields, before: StoredRules) {
  const { entry = before.entry, exit = before.exit } = fields;
  const { short_entry = before.short_entry, short_exit = before.short_exit } = fields;
  const isDropped = Array.isArray(short_entry) && short_entry.length === 0;
  return { entry, exit, ...(!isDropped && { short_entry, short_exit }) };
}

function contentHash({ asset, entry, exit, reward_factor, short_entry, short_exit }: StoredRules, config: object) {
  const short = short_entry === undefined ? [] : [short_entry, short_exit];
  return sha256(canonicalJson([asset, entry, exit, reward_factor, config, ...short]));
}
