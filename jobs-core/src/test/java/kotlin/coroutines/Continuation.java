package kotlin.coroutines;

/**
 * Stands for the last parameter of a suspending function, which the library knows by its
 * name only.
 *
 * @param <T> what the function returns
 */
public interface Continuation<T> {

}
