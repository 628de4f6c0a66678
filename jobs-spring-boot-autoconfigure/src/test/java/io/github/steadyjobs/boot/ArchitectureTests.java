package io.github.steadyjobs.boot;

import com.tngtech.archunit.core.domain.JavaAnnotation;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import org.jspecify.annotations.NullMarked;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaModifier.FINAL;
import static com.tngtech.archunit.core.domain.JavaModifier.PUBLIC;
import static com.tngtech.archunit.core.domain.properties.HasModifiers.Predicates.modifier;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;

/**
 * Architecture rules of this module.
 */
@AnalyzeClasses(packages = "io.github.steadyjobs.boot", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTests {

	@ArchTest
	static final ArchRule autoConfigurationsArePublicAndFinal = classes().that()
		.areAnnotatedWith(AutoConfiguration.class)
		.should()
		.bePublic()
		.andShould()
		.haveModifier(FINAL)
		.andShould()
		.haveSimpleNameEndingWith("AutoConfiguration")
		.because("others order theirs by these names, and nobody is to extend them");

	@ArchTest
	static final ArchRule beanMethodsArePackagePrivate = methods().that()
		.areAnnotatedWith(Bean.class)
		.should()
		.bePackagePrivate()
		.because("beans are asked of the context and not of a class");

	@ArchTest
	static final ArchRule methodsOfAutoConfigurationsAreHidden = methods().that()
		.areDeclaredInClassesThat()
		.areAnnotatedWith(AutoConfiguration.class)
		.should()
		.notBePublic();

	@ArchTest
	static final ArchRule onlyWhatUsersNeedIsPublic = classes().that()
		.areNotAnnotatedWith(AutoConfiguration.class)
		.and()
		.doNotBelongToAnyOf(JobsJsonMapperBuilderCustomizer.class, JobsRedisConnectionFactory.class)
		.should()
		.notBePublic();

	@ArchTest
	static final ArchRule beansThatBackOffCanBeReplaced = methods().that()
		.areAnnotatedWith(describe("@ConditionalOnMissingBean without a name", ArchitectureTests::looksAtTheType))
		.should()
		.haveRawReturnType(modifier(PUBLIC))
		.because("no application can define a bean of a hidden type");

	@ArchTest
	static final ArchRule packagesSayWhereNullMayBe = classes().should(beInNullMarkedPackage());

	private static boolean looksAtTheType(JavaAnnotation<?> annotation) {
		return annotation.getRawType().isEquivalentTo(ConditionalOnMissingBean.class)
				&& ((Object[]) annotation.get("name").orElseThrow()).length == 0;
	}

	private static ArchCondition<JavaClass> beInNullMarkedPackage() {
		return new ArchCondition<>("be in a package that is @NullMarked") {

			@Override
			public void check(JavaClass item, ConditionEvents events) {
				boolean marked = item.getPackage().isAnnotatedWith(NullMarked.class);
				events.add(new SimpleConditionEvent(item, marked, item.getPackageName() + " is not @NullMarked"));
			}

		};
	}

}
