package kotlin.coroutines;

/**
 * Stands in for the last parameter of a suspending function, which the library recognises
 * only by name.
 *
 * @param <T> the result type of the function
 */
public interface Continuation<T> {

}
