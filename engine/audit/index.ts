export {
  type Audit,
  type AuditFinding,
  type AuditInput,
  auditStrategy,
  firstMaskDifference,
  type WarmUpDrift,
} from './audit.js';
export {
  auditMasks,
  isForesight,
  laterColumn,
  laterMask,
  type MaskAudit,
  type MaskName,
  rotatedColumn,
  rotatedMask,
} from './masks.js';
