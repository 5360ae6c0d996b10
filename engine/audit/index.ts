export { type Audit, type AuditFinding, type AuditInput, auditStrategy, type WarmUpDrift } from './audit.js';
