/** A field with the comment above it, and the message that it holds, if any. */
export interface DescribedField {
  readonly comment: string;
  readonly message?: string;
}

export { describedMessages } from './generated/fields.js';
