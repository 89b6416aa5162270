extension Culture {
  static let americas = [
    Culture(
      "United States", "English", weight: 14, utc: -6,
      places: """
        New York, New York, Brooklyn, Queens, Harlem; Austin, Texas, Zilker, Mueller; \
        Chicago, Illinois, Logan Square, Hyde Park; Portland, Oregon, Alberta, Sellwood; \
        Miami, Florida, Wynwood, Little Havana
        """,
      women: "Emily Ashley Madison Olivia Grace Jasmine Brianna Chloe Destiny Hannah",
      men: "Jacob Tyler Ethan Marcus Logan Andre Dylan Caleb Jordan Isaiah",
      families: "Johnson Miller O'Brien Washington Nguyen Martinez Cooper Reed Brooks Kim"),
    Culture(
      "Brazil", "Portuguese", weight: 11, utc: -3,
      places: """
        São Paulo, São Paulo, Pinheiros, Mooca; Rio de Janeiro, Rio de Janeiro, Tijuca, Lapa; \
        Salvador, Bahia, Barra, Pelourinho; Recife, Pernambuco, Boa Viagem
        """,
      women: "Beatriz Larissa Letícia Camila Thaís Fernanda Júlia Raíssa Luana",
      men: "João Gabriel Matheus Thiago Caio Vinícius André Luã Rafael",
      families: "Silva Souza Conceição Araújo Lima Magalhães Pereira Gonçalves"),
    Culture(
      "Mexico", "Spanish", weight: 7, utc: -6,
      places: """
        Ciudad de México, CDMX, Coyoacán, Roma Norte; Guadalajara, Jalisco, Tlaquepaque; \
        Monterrey, Nuevo León, San Pedro; Puebla, Puebla, Cholula
        """,
      women: "Ximena Guadalupe Itzel Sofía Valeria Fernanda Renata Citlali",
      men: "José Ángel Emiliano Iván Héctor Raúl Diego Jesús",
      families: "Hernández Núñez García Ramírez Peña López Ávila"),
    Culture(
      "Colombia", "Spanish", weight: 4, utc: -5,
      places: "Bogotá, Cundinamarca, Chapinero, Usaquén; Medellín, Antioquia, El Poblado; "
        + "Cali, Valle del Cauca, San Antonio",
      women: "Daniela Laura Mariana Paola Yuliana Catalina",
      men: "Andrés Santiago Camilo Julián Sebastián Óscar",
      families: "Rodríguez Gómez Muñoz Cárdenas Restrepo Zapata"),
    Culture(
      "Argentina", "Spanish", weight: 3, utc: -3,
      places: "Buenos Aires, Buenos Aires, Palermo, San Telmo; Córdoba, Córdoba, Güemes; "
        + "Rosario, Santa Fe, Pichincha",
      women: "Agustina Martina Lucía Rocío Julieta Sol",
      men: "Nicolás Facundo Tomás Lautaro Joaquín Bruno",
      families: "Fernández Acuña Bianchi Domínguez Quiroga Sosa"),
  ]
}
