package io.github.steadyjobs.dashboard;

import java.util.Map;

import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import gg.jte.output.Utf8ByteOutput;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/**
 * Renders views as HTML with the precompiled templates of this module.
 */
final class Renderer {

	private final TemplateEngine engine = TemplateEngine.createPrecompiled(null, ContentType.Html,
			Renderer.class.getClassLoader(), Renderer.class.getPackageName());

	private final Site site;

	private final FormTokens tokens;

	Renderer(Site site, FormTokens tokens) {
		this.site = site;
		this.tokens = tokens;
	}

	byte[] render(Visit visit, @Nullable Area area, View view, HttpServletRequest request) {
		Utf8ByteOutput output = new Utf8ByteOutput();
		Frame frame = new Frame(this.site, visit, area, view, this.tokens.find(request));
		this.engine.render(view.template() + ".jte", Map.of("frame", frame, "model", view.model()), output);
		return output.toByteArray();
	}

}
