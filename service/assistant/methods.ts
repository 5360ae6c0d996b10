import type { UseCasesOf } from '../use-cases.js';
import type { Assistant } from './assistant.js';

export const assistantMethods = (assistant: Assistant): UseCasesOf<'Assistant'> => ({
  'Assistant.Start': (_, { caller }) => assistant.start(caller),
  'Assistant.GetLatest': (_, { caller }) => assistant.latest(caller),
  'Assistant.List': (_, { caller }) => assistant.list(caller),
  'Assistant.Get': ({ session_id }, { caller }) => assistant.get(caller, session_id),
  'Assistant.Chat': ({ session_id, message }, { caller }) => assistant.chat(caller, session_id, message),
  'Assistant.Rename': ({ session_id, title }, { caller }) => assistant.rename(caller, session_id, title),
  'Assistant.Delete': ({ session_id }, { caller }) => assistant.remove(caller, session_id),
  'Assistant.SaveStrategy': (request, { caller }) => assistant.saveStrategy(caller, request),
  'Assistant.GetConfiguration': () => assistant.configuration(),
  'Assistant.RefreshIndex': (_, { credentials }) => assistant.refreshIndex(credentials.managementKey),
});
