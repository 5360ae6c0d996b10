import type { UseCasesOf } from '../use-cases.js';
import type { Social } from './social.js';

export const socialMethods = (social: Social): UseCasesOf<'Social'> => ({
  'Social.GetSentiment': (request) => social.sentiment(request),
  'Social.ListMentions': (request) => social.mentions(request),
  'Social.GetInfluence': (request) => social.influence(request),
});
