import { ServiceError, validationError } from "./service-error.ts";

/** What Application Auto Scaling answers. Texts marked as guesses were never seen. */

/** What a target or policy is of: one dimension of one resource. */
export interface ScalingSubject {
  readonly namespace: string;
  readonly resourceId: string;
  readonly dimension: string;
}

const spelled = ({ namespace, resourceId, dimension }: ScalingSubject): string =>
  `service namespace: ${namespace}, resource ID: ${resourceId}, scalable dimension: ${dimension}`;

const notFound = (text: string): ServiceError => new ServiceError("ObjectNotFoundException", text);

export const scalingNotSupported = (): ServiceError =>
  validationError("Unsupported service namespace, resource type or scalable dimension");

export const scaledTableNotFound = (resourceId: string): ServiceError =>
  validationError(`DynamoDB table does not exist: ${resourceId}`);

export const scaledIndexNotFound = (resourceId: string): ServiceError =>
  validationError(`DynamoDB index does not exist: ${resourceId}`);

/** A policy needs a target. */
export const targetNotRegistered = (subject: ScalingSubject): ServiceError =>
  notFound(`No scalable target registered for ${spelled(subject)}`);

/** To be deregistered. */
export const targetNotFound = (subject: ScalingSubject): ServiceError =>
  notFound(`No scalable target found for ${spelled(subject)}`);

export const policyNotFound = (subject: ScalingSubject, name: string): ServiceError =>
  notFound(`No scaling policy found for ${spelled(subject)}, policy name: ${name}`);

export const secondPolicyForMetric = (): ServiceError =>
  validationError(
    "Only one TargetTrackingScaling policy for a given metric specification is allowed.",
  );

/** A guess. */
export const boundsMissing = (): ServiceError =>
  validationError(
    "MinCapacity and MaxCapacity must be specified when registering a new scalable target",
  );

export const boundsReversed = (): ServiceError =>
  validationError("Maximum capacity cannot be less than minimum capacity");

/** A guess; that DynamoDB knows no throughput of zero is documented. */
export const boundTooLow = (): ServiceError =>
  validationError("Minimum capacity must be greater than or equal to 1");

/** A guess. */
export const policyTypeMissing = (): ServiceError =>
  validationError("PolicyType must be specified when creating a scaling policy");

/** A guess; that DynamoDB takes target tracking only is documented. */
export const policyTypeNotSupported = (type: string): ServiceError =>
  validationError(`Policy type ${type} is not supported for service namespace dynamodb`);

/** A guess. */
export const trackingConfigurationMissing = (): ServiceError =>
  validationError(
    "TargetTrackingScalingPolicyConfiguration must be specified for policy type " +
      "TargetTrackingScaling",
  );

/** A guess. */
export const metricMissing = (): ServiceError =>
  validationError(
    "Exactly one of PredefinedMetricSpecification and CustomizedMetricSpecification must be " +
      "specified",
  );

/** A guess. */
export const metricNotOfDimension = (metric: string, dimension: string): ServiceError =>
  validationError(
    `Predefined metric type ${metric} is not supported for scalable dimension ${dimension}`,
  );

export const customMetricNotSupported = (): ServiceError =>
  validationError("The parameter CustomizedMetricSpecification is not supported by Keywright yet");

/** As Java writes a number that may have a fraction. */
const decimal = (value: number): string =>
  Number.isInteger(value) ? value.toFixed(1) : String(value);

export const targetOutOfRange = (
  metric: string,
  min: number,
  max: number,
  value: number,
): ServiceError =>
  validationError(
    value <= 0
      ? "For target tracking scaling, target value must be between '8.51592E-109' and " +
          `'1.174271E108', but was '${decimal(value)}'.`
      : `For predefined metric type ${metric}, target value must be between '${decimal(min)}' and ` +
          `'${decimal(max)}', but was '${decimal(value)}'.`,
  );

export const scalingTagsNotSupported = (): ServiceError =>
  validationError("The parameter Tags of RegisterScalableTarget is not supported by Keywright yet");

/** A guess. */
export const scalingTokenInvalid = (): ServiceError =>
  new ServiceError("InvalidNextTokenException", "The next token is invalid");
