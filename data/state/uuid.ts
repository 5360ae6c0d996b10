const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * Ids are UUIDs. Another text identifies no row, and PostgreSQL would refuse a statement with it.
 */
export const isUuid = (value: unknown): value is string => typeof value === 'string' && uuid.test(value);
