import type { Social } from '../../service/domains/social/index.js';
import type { HandlersOf } from '../calls.js';

export const socialHandlers = (social: Social): HandlersOf<'Social'> => ({
  'Social.GetSentiment': (request) => social.sentiment(request),
  'Social.ListMentions': (request) => social.mentions(request),
  'Social.GetInfluence': (request) => social.influence(request),
});
