export {
  type Audit,
  type AuditFinding,
  type AuditInput,
  auditStrategy,
  firstMaskDifference,
  type WarmUpDrift,
} from './audit.js';
export { auditMasks, isForesight, type MaskAudit, type MaskName } from './masks.js';
export { laterColumn, laterMask, rotatedColumn, rotatedMask } from './moved-signals.js';
