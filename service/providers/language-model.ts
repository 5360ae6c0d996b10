import { z } from 'zod';
import { integer, key, secret, setting, webAddress } from '../settings/setting.js';
import { defineProvider, urlOrigin } from './provider.js';

export const languageModel = defineProvider({
  settings: {
    BARLINE_LLM_BASE_URL: setting(
      webAddress.optional(),
      'Server of a language model that speaks the OpenAI chat format, up to its version (`http://127.0.0.1:11434/v1`): the assistant then reads any words. Without it it reads its documented form.',
    ),
    BARLINE_LLM_MODEL: setting(z.string().min(1).optional(), 'Model that this server answers with.'),
    BARLINE_LLM_KEY: secret(key, 'Key of this server; local ones need none.'),
    BARLINE_LLM_EMBEDDING_MODEL: setting(
      z.string().min(1).optional(),
      'Model of this server that makes vectors of the documentation for lookups. Without it a hash of words makes them on this machine.',
    ),
    BARLINE_LLM_REQUEST_MS: setting(
      integer(100, 120_000).default(60_000),
      'Longest time of one reply of the model, repeated requests included.',
    ),
  },
  list: ({ BARLINE_LLM_BASE_URL: url, BARLINE_LLM_MODEL: model, BARLINE_LLM_KEY: modelKey }) => ({
    name: model ?? 'language model',
    gives: 'answers of the assistant',
    endpoints: '/ai-copilot',
    switchedBy: 'BARLINE_LLM_BASE_URL',
    isOn: url !== undefined,
    hasKey: modelKey !== undefined,
    origin: url === undefined ? null : urlOrigin(url),
  }),
  async open(config) {
    const { BARLINE_LLM_BASE_URL: baseUrl, BARLINE_LLM_MODEL: model } = config;
    if (baseUrl === undefined || model === undefined) return { model: null };
    const { ModelServer } = await import('../../data/upstreams/model/index.js');
    return {
      model: new ModelServer({
        ...{ baseUrl, model, key: config.BARLINE_LLM_KEY },
        vectorModel: config.BARLINE_LLM_EMBEDDING_MODEL,
        deadlineMs: config.BARLINE_LLM_REQUEST_MS,
      }),
    };
  },
});
