export { JOBS_MAX, type JobQueues, openQueues, type QueueName, type QueueSettings, queueNames } from './open-queues.js';
export { type QueueSource, QueueWork } from './queue-work.js';
