import { UniqueConstraintViolationException } from '@mikro-orm/postgresql';
import { AppError } from '../core/errors.js';

/** Runs a write; a unique key that somebody else took a moment earlier is a CONFLICT with this text, not a defect. */
export async function unlessTaken<T>(message: string, write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    if (error instanceof UniqueConstraintViolationException) throw new AppError('CONFLICT', { message, cause: error });
    throw error;
  }
}
