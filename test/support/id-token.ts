import { randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';

/** An ID token of the development verifier, for a new user by default. */
export function idToken(secret: string, subject: string = randomUUID()): Promise<string> {
  return new SignJWT({ email: `${subject}@example.com`, name: `Person ${subject.slice(0, 4)}` })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(subject)
    .setIssuedAt()
    .setExpirationTime('1h')
    .sign(new TextEncoder().encode(secret));
}
