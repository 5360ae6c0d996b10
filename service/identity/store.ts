/** Where identities live, and what of them is kept there. */
export type {
  ApiKey,
  Found,
  Identity,
  IdentityStore,
  LoginAttempt,
  Member,
  MemberChange,
  Organization,
  Principal,
  Session,
  SignIn,
  User,
} from '../../data/state/index.js';
