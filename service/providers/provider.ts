import { key, type Setting, secret, setting, type ValuesOf, webAddress } from '../settings/setting.js';

/** A provider of live data, as the settings have it. */
export interface LiveProvider {
  readonly name: string;
  /** What it gives. */
  readonly gives: string;
  /** The endpoints that it answers. */
  readonly endpoints: string;
  /** The setting that switches it on. */
  readonly switchedBy: string;
  /** While it is off, recorded or generated data answers. */
  readonly isOn: boolean;
  readonly hasKey: boolean;
  /** Origin of its address; null for one that is not set or that ccxt knows. */
  readonly origin: string | null;
}

/**
 * All that the service knows of a provider of live data: its settings, how it is listed, and how it
 * is opened. Its client loads when it is opened.
 */
type Provider<Settings extends Readonly<Record<string, Setting>>, Adapters> = {
  readonly settings: Settings;
  /** With its state. No key is shown. */
  readonly list: (config: ValuesOf<Settings>) => LiveProvider;
  /** Its adapters by name, null while it is off. */
  readonly open: (config: ValuesOf<Settings>, recordings: string) => Promise<Adapters>;
};

export const defineProvider = <const Settings extends Readonly<Record<string, Setting>>, Adapters>(
  provider: Provider<Settings, Adapters>,
): Provider<Settings, Adapters> => provider;

export const apiKeySetting = (provider: string, serves: string) =>
  secret(
    key,
    `Key of ${provider}: switches ${serves} on. Without it, data recorded or generated on this machine answers.`,
  );

export const addressSetting = (provider: string, own: string) =>
  setting(webAddress.default(own), `Address of ${provider}, for a proxy or a test.`);

/** A provider that its key switches on. */
export const listed = (
  facts: Pick<LiveProvider, 'name' | 'gives' | 'endpoints' | 'switchedBy'>,
  providerKey: string | undefined,
  url: string,
): LiveProvider => ({
  ...facts,
  isOn: providerKey !== undefined,
  hasKey: providerKey !== undefined,
  origin: urlOrigin(url),
});

export const urlOrigin = (url: string): string => new URL(url).origin;
