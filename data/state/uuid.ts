const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * Ids are UUIDs. Whatever is none names nothing, and PostgreSQL would refuse the statement that
 * looks for it.
 */
export const isUuid = (value: unknown): value is string => typeof value === 'string' && uuid.test(value);
